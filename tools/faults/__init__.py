"""Would anybody notice? Faults are planted in a copy of the project, one at a time; the tests must object.

``data/<kind>.yml`` holds the faults: a file, what is changed there, and who should object. ``trials.py`` says
how to try them. Nothing is written to the checkout.
"""
