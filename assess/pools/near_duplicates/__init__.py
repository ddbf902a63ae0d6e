"""What groups of near-duplicates mean for who gets which document."""
