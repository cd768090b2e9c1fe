"""Read models: folds of events into what people ask for."""
