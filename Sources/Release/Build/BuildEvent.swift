/// A step of a build, as it happens.
package enum BuildEvent: Equatable, Sendable, CustomStringConvertible {
  /// A model is being compressed and proven; `number` counts from 1.
  case proving(model: String, method: String, number: Int, of: Int)
  /// A member of a family, which `proving` named, is being worked on.
  case provingMember(number: Int, of: Int)
  /// All members of a family were worked on; `outcome` counts them in words.
  case family(name: String, outcome: String)
  /// A model passed; `limits` are words.
  case proven(model: String, limits: String)
  /// The model was taken from the store.
  case recalled(model: String, limits: String)
  case refusedModel(model: String, reasons: [String])
  case unusableModel(model: String, reasons: [String])
  /// So many packages are packed, of how many.
  case packed(count: Int, of: Int)
  case packaged(path: String, isReused: Bool)
  case refusedCustomer(customer: String)
  /// Something worth knowing, not a problem.
  case note(String)
  /// Something doubtful that does not stop the build.
  case warning(String)

  package var description: String {
    switch self {
    case .proving(let model, let method, let number, let count):
      "[\(number)/\(count)] \(model): \(method)"
    case .provingMember(let number, let count): "[\(number)/\(count)]"
    case .family(let name, let outcome): "\(name): \(outcome)"
    case .proven(let model, let limits): "\(model): passed \(limits)"
    case .recalled(let model, let limits):
      "\(model): passed before, from the store: \(limits)"
    case .packed(let count, let total): "packed \(count) of \(total)"
    case .refusedModel(let model, let reasons):
      "\(model): refused: \(BuildEvent.short(reasons))"
    case .unusableModel(let model, let reasons):
      "\(model): cannot be used: \(BuildEvent.short(reasons))"
    case .packaged(let path, let isReused): isReused ? "\(path): unchanged" : "\(path): written"
    case .refusedCustomer(let customer): "\(customer): no package"
    case .note(let text), .warning(let text): text
    }
  }

  private static func short(_ reasons: [String]) -> String {
    (reasons.first ?? "") + (reasons.count > 1 ? " (and \(reasons.count - 1) more)" : "")
  }
}
