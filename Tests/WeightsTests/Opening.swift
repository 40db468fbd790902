import TestSupport

@testable import Weights

/// The message of what opening the weights at a path throws, or "accepted".
func opening(_ path: String) -> String {
  message { _ = try WeightCollection.open(path) } ?? "accepted"
}
