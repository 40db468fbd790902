import SwiftProtobuf

extension TabularPlace {
  /// Refuses a message with fields that are not read: they may change what it computes.
  ///
  /// - Parameter names: of fields that have a known name.
  func requireKnown(
    _ message: some Message, _ names: [Int: String] = [:]
  ) throws(TabularError) {
    guard let field = message.unknownFields.firstField else { return }
    let word = names[field].map { "'\($0)' (field \(field))" } ?? "field \(field)"
    throw fault("has \(word) of \(type(of: message).protoMessageName), which is not understood")
  }
}

extension UnknownStorage {
  /// The number of the first of the fields; 0 if it cannot be read.
  fileprivate var firstField: Int? {
    guard !data.isEmpty else { return nil }
    var tag: UInt64 = 0
    for (place, byte) in data.prefix(5).enumerated() {
      tag |= UInt64(byte & 0x7f) << UInt64(7 * place)
      if byte < 0x80 { return Int(tag >> 3) }
    }
    return 0
  }
}

/// Names of what Core ML has and this code does not read.
enum UnreadFields {
  /// Kinds of models.
  static let models = [
    301: "supportVectorRegressor", 303: "neuralNetworkRegressor", 304: "bayesianProbitRegressor",
    401: "supportVectorClassifier", 404: "kNearestNeighborsClassifier",
    501: "itemSimilarityRecommender",
    555: "customModel", 556: "linkedModel", 560: "classConfidenceThresholding",
    606: "categoricalMapping", 610: "nonMaximumSuppression", 900: "identity",
    2000: "textClassifier", 2001: "wordTagger", 2002: "visionFeaturePrint",
    2003: "soundAnalysisPreprocessing", 2004: "gazetteer", 2005: "wordEmbedding",
    2006: "audioFeaturePrint", 3000: "serializedModel",
  ]
  static let descriptions = [13: "state", 21: "defaultFunctionName"]
  static let features = [7: "sequenceType", 8: "stateType"]
  static let arrays = [41: "intDefaultValue", 51: "floatDefaultValue", 61: "doubleDefaultValue"]
  static let networks = [2: "preprocessing"]
  static let layers = [
    4: "inputTensor", 5: "outputTensor", 130: "activation", 180: "flatten", 190: "permute",
  ]
  static let weights = [
    2: "float16Value", 30: "rawValue", 31: "int8RawValue", 40: "quantization",
  ]
  static let imputers = [6: "imputedStringDictionary", 7: "imputedInt64Dictionary"]
}
