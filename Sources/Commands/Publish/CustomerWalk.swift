import Files
import StrictJSON
import Updates

/// One thing done for many customers, one after the other.
///
/// A customer for whom it cannot be done does not keep it from the others: their metadata would expire.
struct CustomerWalk<Value> {
  /// For whom it was done, in the order of the apps, and what came of it.
  private(set) var done: [(app: String, value: Value)] = []
  private(set) var faults = CustomerFaults()
  private let count: Int

  /// - Parameters:
  ///   - step: what is done, for the line of progress.
  ///   - body: nil where there is nothing to do for a customer.
  /// - Throws: what keeps it from being done for any.
  init(
    _ flags: RepositoryFlags, _ customers: CustomerFlags, _ console: Console, _ step: String,
    _ body: (CustomerRepository, CustomerRepository.State) throws -> Value?
  ) throws {
    let (apps, progress) = (try customers.apps(of: flags), ProgressLine(console))
    count = apps.count
    defer { progress.clear() }
    let isThere = Folder.kind(of: flags.repository) == .folder
    let use = isThere ? try RepositoryUse(flags.repository) : nil
    defer { withExtendedLifetime(use) {} }
    for (place, app) in apps.enumerated() {
      progress.show(step, place, of: apps.count)
      do {
        let customer = flags.customer(app)
        if let value = try body(customer, try customer.required()) { done.append((app, value)) }
      } catch {
        faults.add(error, app: app)
      }
    }
  }

  /// For whom it was done, as the report has it.
  var apps: JSONValue { .array(done.map { .string($0.app) }) }

  /// For how many it was done, and what that means; nothing where there are faults alone.
  func text(_ what: String) -> String {
    done.isEmpty && !faults.isEmpty ? "" : "\(Figures.count(done.count, "customer")): \(what)\n"
  }

  /// - Parameter what: what was not done.
  /// - Throws: the exit status, once what kept it from being done is said.
  func requireAll(_ what: String, _ console: Console) throws {
    try faults.requireNone(of: count, "customer", what, console)
  }
}
