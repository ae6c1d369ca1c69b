"""Would anybody notice? Faults are planted in a copy of the project, one at a time; the tests must object.

    python -m tools.faults                   # every fault
    python -m tools.faults --only formula    # those of one kind, or of several
    python -m tools.faults --list            # what would be planted, and where

``data/<kind>.yml`` holds the faults: a file, what is changed there, and who should object.
Nothing is written to the checkout.
"""
