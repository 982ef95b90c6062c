// part: time_text(time)
// A time with a zone as text, which a client reads in a tenth of the time. Null for what is none, which only tampering
// and other tools leave.
toString(CASE WHEN {{time}} IS :: ZONED DATETIME THEN {{time}} END)
