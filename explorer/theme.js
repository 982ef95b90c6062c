// Applies the chosen theme before anything is drawn. Without a choice, the system's applies.
const chosen = localStorage.getItem("legacymind.theme");
if (chosen) document.documentElement.dataset.theme = chosen;
