/// Why a classic Core ML model is not sound, cannot be written, or cannot be run.
package struct TabularError: Error, Equatable, CustomStringConvertible {
  /// The file, or what the model is made of.
  package let path: String
  /// Where in it, from the outside in: `step 2 (scaler)`, `tree 3`, `node 7`.
  package let place: [String]
  /// The fault, in words that follow the place.
  package let fault: String

  package init(path: String, place: [String] = [], fault: String) {
    self.path = path
    self.place = place
    self.fault = fault
  }

  package var description: String {
    "\(path): \(place.joined(separator: ", "))\(place.isEmpty ? "" : ": ")\(fault)"
  }
}

/// Where checks are: a file, and a place in it.
struct TabularPlace: Sendable {
  let path: String
  let place: [String]

  init(_ path: String, _ place: [String] = []) {
    self.path = path
    self.place = place
  }

  func fault(_ text: String) -> TabularError {
    TabularError(path: path, place: place, fault: text)
  }

  func within(_ part: String) -> TabularPlace { TabularPlace(path, place + [part]) }
}
