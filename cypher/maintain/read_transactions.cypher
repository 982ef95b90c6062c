// Lists the transactions that run now. Those that began before a slot came into use do not mark what they store.
CYPHER 25
SHOW TRANSACTIONS YIELD transactionId
RETURN transactionId AS id
