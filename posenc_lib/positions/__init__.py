"""Where a token stands: positions in a sequence, in packed and padded batches, and on several axes."""
