"""Reading a Hugging Face config: its keys, its layers, its rope parameters, and what each model type is."""
