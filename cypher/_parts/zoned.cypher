// part: zoned(time)
// A time with a zone. Null for what is none, which only tampering and other tools leave.
CASE WHEN {{time}} IS :: ZONED DATETIME THEN {{time}} END
