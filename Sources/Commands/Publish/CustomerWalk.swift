import Files
import StrictJSON
import Updates

/// One thing done for many customers, one after the other.
///
/// A customer for whom it cannot be done does not keep it from the others: their metadata would expire.
struct CustomerWalk<Value> {
  /// For whom it was done, in the order of the apps, and what came of it.
  private(set) var done: [(app: String, value: Value)] = []
  private var faults: [String] = []

  /// - Parameters:
  ///   - step: what is done, for the line of progress.
  ///   - body: nil where there is nothing to do for a customer.
  /// - Throws: what keeps it from being done for the only customer that is meant.
  init(
    _ flags: RepositoryFlags, _ customers: CustomerFlags, _ console: Console, _ step: String,
    _ body: (CustomerRepository, CustomerRepository.State) throws -> Value?
  ) throws {
    let (apps, progress) = (try customers.apps(of: flags), ProgressLine(console))
    defer { progress.clear() }
    for (place, app) in apps.enumerated() {
      progress.show(step, place, of: apps.count)
      do {
        let customer = flags.customer(app)
        if let value = try body(customer, try customer.required()) { done.append((app, value)) }
      } catch  where apps.count > 1 {
        faults.append("\(error)")
      }
    }
  }

  /// For whom it was done, as the report has it.
  var apps: JSONValue { .array(done.map { .string($0.app) }) }

  /// - Parameter what: what was not done.
  /// - Throws: `Failure` that lists what kept it from being done.
  func requireAll(_ what: String) throws {
    guard !faults.isEmpty else { return }
    throw Failure(message: "\(Figures.count(faults.count, "customer")): \(what)", details: faults)
  }
}
