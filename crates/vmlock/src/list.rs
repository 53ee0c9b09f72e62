//! An intrusive list for wait queues of the embedder.
