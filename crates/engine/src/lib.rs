//! Every pure decision of an agent: pools, batches, the turn, session events, budgets, the system prompt. No runtime, file or clock.
