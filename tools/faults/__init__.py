"""Would anybody notice? Faults are planted in a copy of the project, one at a time; the tests must object.

    python -m tools.faults            # every fault
    python -m tools.faults formula    # those of one kind, or of several

``data/<kind>.yml`` holds the faults: a file, what is changed there, and who should object.
Nothing is written to the checkout.
"""
