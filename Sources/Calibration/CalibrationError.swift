package import Weights

/// Why a model cannot be calibrated.
package enum CalibrationError: Error, Equatable, CustomStringConvertible {
  /// A set without a single input of the kind the model takes.
  case nothingUsable(calibration: String, needed: String)
  /// The calibration set and the reference set are the same inputs.
  case isReferenceSet(calibration: String, references: String)
  /// Some inputs are in both sets; never empty.
  case sharedInputs(calibration: String, references: String, shared: [SharedInput])
  /// A set whose inputs are all in the reference set too.
  case nothingLeft(calibration: String, references: String)
  /// A model that only has graphs of fixed lengths.
  case fixedShapes(origin: String)
  /// Values of a layer that are not finite; `side` says in which model.
  case nonFinite(layer: TensorName, values: String, side: String)
  /// A layer whose weight cannot be fitted.
  case layer(TensorName, GPTQError)

  /// The fault of a layer.
  init(_ error: GPTQError, layer: TensorName) {
    self =
      switch error {
      case .notFinite(.inputs, _, _):
        .nonFinite(layer: layer, values: "inputs", side: "compressed")
      case .notFinite(.outputs, _, _):
        .nonFinite(layer: layer, values: "outputs", side: "original")
      default: .layer(layer, error)
      }
  }

  /// Runs what may fail for a layer.
  static func placing<T>(
    _ layer: TensorName, _ body: () throws(GPTQError) -> T
  ) throws(CalibrationError) -> T {
    do {
      return try body()
    } catch {
      throw CalibrationError(error, layer: layer)
    }
  }

  package var description: String {
    switch self {
    case .nothingUsable(let calibration, let needed):
      "\(calibration): holds no input the model could be calibrated with, it takes \(needed)"
    case .isReferenceSet(let calibration, let references):
      "\(calibration): holds the inputs of the reference set '\(references)'; a model that was "
        + "calibrated with them cannot be judged by them"
    case .sharedInputs(let calibration, let references, let shared):
      "\(calibration):\(shared[0].line): \(shared[0].words(references)); \(shared.words), "
        + "and a model that was calibrated with them cannot be judged by them"
    case .nothingLeft(let calibration, let references):
      "\(calibration): every input is one of the reference set '\(references)'; nothing is left to "
        + "calibrate with"
    case .fixedShapes(let origin):
      "\(origin): a package of fixed lengths cannot be calibrated; give the model it was made from"
    case .nonFinite(let layer, let values, let side):
      "layer '\(layer)': its \(values) in the \(side) model are not finite"
    case .layer(let layer, let error): "layer '\(layer)': \(error)"
    }
  }
}
