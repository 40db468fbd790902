import Files

/// Takes warnings from any thread.
package final class Warnings: Sendable {
  private let texts = Mutex<[String]>([])

  package init() {}

  /// In the order in which they came.
  package var all: [String] { texts.withLock { $0 } }

  package func add(_ text: String) { texts.withLock { $0.append(text) } }
}
