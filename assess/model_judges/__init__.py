"""Model judges: their records, how far they agree with people, and the draws of pairs that people grade."""
