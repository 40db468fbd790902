import SwiftProtobuf
import Trees

extension TabularProgram {
  /// The bytes of a `.mlmodel`, the same for the same program.
  package func serialized() throws -> [UInt8] { try message().deterministicBytes() }

  /// The format's message.
  func message() -> SpecModel {
    var model = SpecModel()
    model.specificationVersion = Int32(specificationVersion)
    model.description_p.input = inputs.map { $0.message() }
    model.description_p.output = outputs.map { $0.message() }
    model.isUpdatable = training != nil
    model.description_p.trainingInput = (training ?? []).map { $0.message() }
    model.description_p.predictedFeatureName = predicted ?? ""
    model.description_p.predictedProbabilitiesName = probabilities ?? ""
    if metadata != Metadata() { model.description_p.metadata = metadata.message() }
    model.type = step.message()
    return model
  }
}

extension TabularProgram.Metadata {
  fileprivate func message() -> SpecMetadata {
    var message = SpecMetadata()
    message.shortDescription = text
    message.versionString = version
    message.author = author
    message.license = license
    message.userDefined = userDefined
    return message
  }
}

extension TabularFeature {
  fileprivate func message() -> SpecFeatureDescription {
    var message = SpecFeatureDescription()
    message.name = name
    message.shortDescription = text
    message.type.isOptional = isOptional
    switch kind {
    case .double: message.type.doubleType = SpecDoubleFeatureType()
    case .int64: message.type.int64Type = SpecInt64FeatureType()
    case .string: message.type.stringType = SpecStringFeatureType()
    case .array(let count):
      message.type.multiArrayType.shape = [Int64(count)]
      message.type.multiArrayType.dataType = .double
    case .textDictionary:
      message.type.dictionaryType.stringKeyType = SpecStringFeatureType()
    case .integerDictionary:
      message.type.dictionaryType.int64KeyType = SpecInt64FeatureType()
    }
    return message
  }
}

extension TabularStep {
  fileprivate func message() -> SpecModel.OneOf_Type {
    switch self {
    case .treeClassifier(let ensemble, let labels):
      var message = SpecTreeEnsembleClassifier()
      message.treeEnsemble = ensemble.message()
      message.postEvaluationTransform = ensemble.transform.message
      switch labels {
      case .texts(let texts): message.stringClassLabels.vector = texts
      case .integers(let numbers): message.int64ClassLabels.vector = numbers.map(Int64.init)
      }
      return .treeEnsembleClassifier(message)
    case .treeRegressor(let ensemble):
      var message = SpecTreeEnsembleRegressor()
      message.treeEnsemble = ensemble.message()
      message.postEvaluationTransform = ensemble.transform.message
      return .treeEnsembleRegressor(message)
    case .linearClassifier(let linear): return .glmClassifier(linear.message())
    case .linearRegressor(let linear): return .glmRegressor(linear.message())
    case .network(let network): return network.message()
    case .scaler(let shift, let scale):
      var message = SpecScaler()
      message.shiftValue = shift
      message.scaleValue = scale
      return .scaler(message)
    case .imputer(let imputation): return .imputer(imputation.message())
    case .oneHotEncoder(let categories, let isSparse, let unknown):
      var message = SpecOneHotEncoder()
      message.outputSparse = isSparse
      message.handleUnknown = unknown == .isZero ? .ignoreUnknown : .errorOnUnknown
      switch categories {
      case .texts(let texts): message.stringCategories.vector = texts
      case .integers(let numbers): message.int64Categories.vector = numbers.map(Int64.init)
      }
      return .oneHotEncoder(message)
    case .dictVectorizer(let keys):
      var message = SpecDictVectorizer()
      switch keys {
      case .texts(let texts): message.stringToIndex.vector = texts
      case .integers(let numbers): message.int64ToIndex.vector = numbers.map(Int64.init)
      }
      return .dictVectorizer(message)
    case .featureVectorizer(let columns):
      var message = SpecFeatureVectorizer()
      message.inputList = columns.map { column in
        var input = SpecInputColumn()
        input.inputColumn = column.name
        input.inputDimensions = UInt64(column.count)
        return input
      }
      return .featureVectorizer(message)
    case .normalizer(let norm):
      var message = SpecNormalizer()
      message.normType = norm == .largest ? .lmax : norm == .sum ? .l1 : .l2
      return .normalizer(message)
    case .arrayFeatureExtractor(let places):
      var message = SpecArrayFeatureExtractor()
      message.extractIndex = places.map(UInt64.init)
      return .arrayFeatureExtractor(message)
    case .pipeline(let pipeline): return pipeline.message()
    }
  }
}

extension TreeEnsemble.Transform {
  /// The format's word; of a sound program one of three.
  fileprivate var message: SpecTreeTransform {
    self == .softmax ? .softmax : self == .sigmoid ? .logistic : .noTransform
  }
}

extension TabularStep.Pipeline {
  fileprivate func message() -> SpecModel.OneOf_Type {
    var message = SpecPipeline()
    message.models = programs.map { $0.message() }
    message.names = names
    switch kind {
    case .plain: return .pipeline(message)
    case .classifier:
      var classifier = SpecPipelineClassifier()
      classifier.pipeline = message
      return .pipelineClassifier(classifier)
    case .regressor:
      var regressor = SpecPipelineRegressor()
      regressor.pipeline = message
      return .pipelineRegressor(regressor)
    }
  }
}

extension TabularStep.Imputation {
  fileprivate func message() -> SpecImputer {
    var message = SpecImputer()
    switch self {
    case .double(let value, let missing):
      message.imputedDoubleValue = value
      message.replaceDoubleValue = missing
    case .int64(let value, let missing):
      message.imputedInt64Value = Int64(value)
      message.replaceInt64Value = Int64(missing)
    case .string(let value, let missing):
      message.imputedStringValue = value
      message.replaceStringValue = missing
    case .array(let values, let missing):
      message.imputedDoubleArray.vector = values
      message.replaceDoubleValue = missing
    }
    return message
  }
}

extension LinearClassifier {
  fileprivate func message() -> SpecGLMClassifier {
    var message = SpecGLMClassifier()
    message.weights = weights.map(SpecDoubleArray.of)
    message.offset = offsets
    message.postEvaluationTransform = link == .probit ? .probit : .logit
    message.classEncoding = encoding == .oneVersusRest ? .oneVsRest : .referenceClass
    switch labels {
    case .texts(let texts): message.stringClassLabels.vector = texts
    case .integers(let numbers): message.int64ClassLabels.vector = numbers.map(Int64.init)
    }
    return message
  }
}

extension LinearRegressor {
  fileprivate func message() -> SpecGLMRegressor {
    var message = SpecGLMRegressor()
    message.weights = [SpecDoubleArray.of(weights)]
    message.offset = [offset]
    message.postEvaluationTransform =
      link == .logit ? .logit : link == .probit ? .probit : .noTransform
    return message
  }
}

extension SpecDoubleArray {
  fileprivate static func of(_ values: [Double]) -> SpecDoubleArray {
    var array = SpecDoubleArray()
    array.value = values
    return array
  }
}
