"""What a statement is made of: letters with a domain, expressions, ranges, and what a check can say."""
