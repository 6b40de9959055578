//! Monte Carlo.
