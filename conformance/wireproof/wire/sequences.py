def emit_sequence(out, plan): raise NotImplementedError
