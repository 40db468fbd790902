import Files
import StrictJSON

/// What kept something from being done for some customers: each fault is said, with its way out, behind what was
/// done for the others.
struct CustomerFaults {
  private var faults: [(app: String?, failure: Failure)] = []

  var isEmpty: Bool { faults.isEmpty }

  /// - Parameter app: nil where nobody knows whose fault it is.
  mutating func add(_ error: any Error, app: String?) {
    UnfinishedWork.letSignalsEndTheProcess()
    faults.append((app, Failure(publishing: error)))
  }

  /// A member of reports.
  var json: JSONValue {
    .array(
      faults.map { app, failure in
        [
          "app": app.map { .string($0) } ?? .null, "message": .string(failure.message),
          "hint": failure.hint.map { .string($0) } ?? .null,
        ]
      })
  }

  /// Says all faults, one that several share once, and how many there are.
  ///
  /// - Parameters:
  ///   - total: of those that it was to be done for.
  ///   - noun: what they are.
  ///   - what: what was not done.
  /// - Throws: the exit status, unless there is no fault.
  func requireNone(of total: Int, _ noun: String, _ what: String, _ console: Console) throws {
    guard !faults.isEmpty else { return }
    var said: Set<String> = []
    for (_, failure) in faults where said.insert(failure.message).inserted {
      console.fail(failure.message, details: failure.details, hint: failure.hint)
    }
    if total > 1 { console.fail("\(Figures.count(faults.count, noun)): \(what)") }
    let isUnsound = faults.contains { $0.failure.status == .verificationFailed }
    throw (isUnsound ? ExitStatus.verificationFailed : .failed).code
  }
}
