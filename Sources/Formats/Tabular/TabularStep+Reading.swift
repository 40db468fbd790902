import SwiftProtobuf
import Trees

extension TabularStep {
  /// - Parameters:
  ///   - rowWidth: numbers of all inputs.
  ///   - depth: pipelines around it.
  init(
    _ type: SpecModel.OneOf_Type, rowWidth: Int, depth: Int, at place: TabularPlace
  ) throws(TabularError) {
    switch type {
    case .treeEnsembleClassifier(let message):
      try place.requireKnown(message)
      let labels = try TreeLabels(message.classLabels, at: place)
      self = .treeClassifier(
        try TreeMessageReader(place, rowWidth).ensemble(
          message.treeEnsemble, message.postEvaluationTransform, labels: labels), labels)
    case .treeEnsembleRegressor(let message):
      try place.requireKnown(message)
      self = .treeRegressor(
        try TreeMessageReader(place, rowWidth).ensemble(
          message.treeEnsemble, message.postEvaluationTransform, labels: nil))
    case .glmClassifier(let message): self = .linearClassifier(try .init(message, at: place))
    case .glmRegressor(let message): self = .linearRegressor(try .init(message, at: place))
    case .neuralNetwork(let message): self = .network(try .init(message, at: place))
    case .neuralNetworkClassifier(let message): self = .network(try .init(message, at: place))
    case .pipeline(let message):
      self = .pipeline(try Pipeline(.plain, message, depth, at: place))
    case .pipelineClassifier(let message):
      try place.requireKnown(message)
      self = .pipeline(try Pipeline(.classifier, message.pipeline, depth, at: place))
    case .pipelineRegressor(let message):
      try place.requireKnown(message)
      self = .pipeline(try Pipeline(.regressor, message.pipeline, depth, at: place))
    case .mlProgram: throw place.fault("is an ML Program, not one of the classic models")
    default: try self.init(transform: type, at: place)
    }
  }

  private init(
    transform: SpecModel.OneOf_Type, at place: TabularPlace
  ) throws(TabularError) {
    switch transform {
    case .scaler(let message):
      try place.requireKnown(message)
      self = .scaler(shift: message.shiftValue, scale: message.scaleValue)
    case .normalizer(let message):
      try place.requireKnown(message)
      switch message.normType {
      case .lmax: self = .normalizer(.largest)
      case .l1: self = .normalizer(.sum)
      case .l2: self = .normalizer(.length)
      case .UNRECOGNIZED(let number): throw place.fault("has the norm \(number), expected 0 to 2")
      }
    case .imputer(let message): self = .imputer(try Imputation(message, at: place))
    case .oneHotEncoder(let message): try self.init(message, at: place)
    case .dictVectorizer(let message):
      try place.requireKnown(message)
      switch message.map {
      case .stringToIndex(let texts): self = .dictVectorizer(.texts(texts.vector))
      case .int64ToIndex(let numbers):
        self = .dictVectorizer(.integers(numbers.vector.map(Int.init)))
      case nil: throw place.fault("has no keys")
      }
    case .featureVectorizer(let message):
      try place.requireKnown(message)
      var columns: [Column] = []
      for input in message.inputList {
        try place.requireKnown(input)
        columns.append(Column(input.inputColumn, Int(clamping: input.inputDimensions)))
      }
      self = .featureVectorizer(columns)
    case .arrayFeatureExtractor(let message):
      try place.requireKnown(message)
      self = .arrayFeatureExtractor(message.extractIndex.map { Int(clamping: $0) })
    default: throw place.fault("holds a model of an unknown kind")
    }
  }

  private init(_ message: SpecOneHotEncoder, at place: TabularPlace) throws(TabularError) {
    try place.requireKnown(message)
    let categories: TreeLabels
    switch message.categoryType {
    case .stringCategories(let texts): categories = .texts(texts.vector)
    case .int64Categories(let numbers): categories = .integers(numbers.vector.map(Int.init))
    case nil: throw place.fault("has no categories")
    }
    let unknown: Unknown
    switch message.handleUnknown {
    case .errorOnUnknown: unknown = .isError
    case .ignoreUnknown: unknown = .isZero
    case .UNRECOGNIZED(let number):
      throw place.fault("treats unknown categories by rule \(number), expected 0 or 1")
    }
    self = .oneHotEncoder(categories, isSparse: message.outputSparse, unknown: unknown)
  }
}

extension TabularStep.Pipeline {
  fileprivate init(
    _ kind: Kind, _ message: SpecPipeline, _ depth: Int, at place: TabularPlace
  ) throws(TabularError) {
    try place.requireKnown(message)
    guard depth < TabularProgram.depthLimit else {
      throw place.fault("has pipelines in pipelines, more than \(TabularProgram.depthLimit) deep")
    }
    var programs: [TabularProgram] = []
    for (number, model) in message.models.enumerated() {
      programs.append(
        try TabularProgram(model, depth: depth + 1, at: place.within("step \(number)")))
    }
    self.init(kind, programs, names: message.names)
  }
}

extension TabularStep.Imputation {
  fileprivate init(_ message: SpecImputer, at place: TabularPlace) throws(TabularError) {
    try place.requireKnown(message, UnreadFields.imputers)
    switch (message.imputedValue, message.replaceValue) {
    case (.imputedDoubleValue(let value), .replaceDoubleValue(let missing)):
      self = .double(value, missing: missing)
    case (.imputedInt64Value(let value), .replaceInt64Value(let missing)):
      self = .int64(Int(value), missing: Int(missing))
    case (.imputedStringValue(let value), .replaceStringValue(let missing)):
      self = .string(value, missing: missing)
    case (.imputedDoubleArray(let values), .replaceDoubleValue(let missing)):
      self = .array(values.vector, missing: missing)
    case (nil, _): throw place.fault("has nothing to put in place of what is missing")
    case (_, nil): throw place.fault("does not say what is missing")
    default:
      throw place.fault("puts values of one type in place of another, or into an array of int64")
    }
  }
}

extension TreeLabels {
  init(
    _ labels: SpecTreeEnsembleClassifier.OneOf_ClassLabels?, at place: TabularPlace
  ) throws(TabularError) {
    switch labels {
    case .stringClassLabels(let texts): self = .texts(texts.vector)
    case .int64ClassLabels(let numbers): self = .integers(numbers.vector.map(Int.init))
    case nil: throw place.fault("has no class labels")
    }
  }
}

extension LinearClassifier {
  fileprivate init(_ message: SpecGLMClassifier, at place: TabularPlace) throws(TabularError) {
    try place.requireKnown(message)
    let labels: TreeLabels
    switch message.classLabels {
    case .stringClassLabels(let texts): labels = .texts(texts.vector)
    case .int64ClassLabels(let numbers): labels = .integers(numbers.vector.map(Int.init))
    case nil: throw place.fault("has no class labels")
    }
    let link: Link
    switch message.postEvaluationTransform {
    case .logit: link = .logit
    case .probit: link = .probit
    case .UNRECOGNIZED(let number): throw place.fault("has the link \(number), expected 0 or 1")
    }
    let encoding: Encoding
    switch message.classEncoding {
    case .referenceClass: encoding = .referenceClass
    case .oneVsRest: encoding = .oneVersusRest
    case .UNRECOGNIZED(let number):
      throw place.fault("has the class encoding \(number), expected 0 or 1")
    }
    for row in message.weights { try place.requireKnown(row) }
    self.init(
      weights: message.weights.map(\.value), offsets: message.offset, encoding: encoding,
      link: link, labels: labels)
  }
}

extension LinearRegressor {
  fileprivate init(_ message: SpecGLMRegressor, at place: TabularPlace) throws(TabularError) {
    try place.requireKnown(message)
    guard message.weights.count == 1, message.offset.count == 1 else {
      throw place.fault(
        "has \(message.weights.count) rows of weights and \(message.offset.count) offsets, "
          + "expected one of each")
    }
    try place.requireKnown(message.weights[0])
    let link: Link
    switch message.postEvaluationTransform {
    case .noTransform: link = .identity
    case .logit: link = .logit
    case .probit: link = .probit
    case .UNRECOGNIZED(let number): throw place.fault("has the link \(number), expected 0 to 2")
    }
    self.init(weights: message.weights[0].value, offset: message.offset[0], link: link)
  }
}
