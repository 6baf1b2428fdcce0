"""Data for answering holes (see `cutile2rs.holes`). Empty: nothing but rules makes Rust yet."""
