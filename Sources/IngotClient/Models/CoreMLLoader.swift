// The one file for Apple's systems. It was not run where this package is built.
#if canImport(CoreML)
  import CoreML
  import CoreVideo
  import Foundation
  import SelfTesting

  /// Loads Core ML packages: compiles them, and predicts.
  public struct CoreMLLoader: DeviceModelLoader {
    private let units: MLComputeUnits

    /// - Parameter units: those that models run on.
    public init(units: MLComputeUnits = .all) { self.units = units }

    /// See `DeviceModelLoader`.
    public func load(_ model: InstalledModel) async throws -> any SelfTestable {
      let compiled = try await MLModel.compileModel(at: URL(fileURLWithPath: model.path))
      defer { try? FileManager.default.removeItem(at: compiled) }
      let configuration = MLModelConfiguration()
      configuration.computeUnits = units
      let loaded = try await MLModel.load(contentsOf: compiled, configuration: configuration)
      return LoadedCoreMLModel(model: loaded, labels: model.labels)
    }
  }

  /// A Core ML model that was loaded.
  struct LoadedCoreMLModel: SelfTestable, @unchecked Sendable {
    let model: MLModel
    let labels: [String: [String]]

    func output(named name: String, for inputs: [TensorValue]) async throws -> [Float] {
      var features: [String: MLFeatureValue] = [:]
      for input in inputs { features[input.name] = try Self.feature(of: input) }
      let answer = try answer(to: try MLDictionaryFeatureProvider(dictionary: features))
      guard let value = answer.featureValue(for: name) else {
        throw UpdateError.malformed("the model gives no '\(name)'")
      }
      if let array = value.multiArrayValue {
        return MLShapedArray<Float>(converting: array).scalars
      }
      // The numbers of all classes, in the order of their labels.
      return (labels[name] ?? []).map { label in
        (value.dictionaryValue[label] ?? Int(label).flatMap { value.dictionaryValue[$0] })?
          .floatValue ?? .nan
      }
    }

    // Where a function may wait, the name means one that needs iOS 17.
    private func answer(to question: any MLFeatureProvider) throws -> any MLFeatureProvider {
      try model.prediction(from: question)
    }

    private static func feature(of input: TensorValue) throws -> MLFeatureValue {
      let shape = input.shape
      switch input.elements {
      case .float32(let values):
        return MLFeatureValue(shapedArray: MLShapedArray(scalars: values, shape: shape))
      case .float64(let values):
        return MLFeatureValue(shapedArray: MLShapedArray(scalars: values, shape: shape))
      case .int32(let values):
        return MLFeatureValue(shapedArray: MLShapedArray(scalars: values, shape: shape))
      case .uint8(let levels):
        return MLFeatureValue(pixelBuffer: try picture(levels, width: shape[3], height: shape[2]))
      }
    }

    /// A picture of planes R, G and B as Core ML takes it.
    private static func picture(
      _ levels: [UInt8], width: Int, height: Int
    ) throws -> CVPixelBuffer {
      var buffer: CVPixelBuffer?
      CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &buffer)
      guard let buffer, CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess else {
        throw UpdateError.malformed("there is no memory for a picture")
      }
      defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
      guard let base = CVPixelBufferGetBaseAddress(buffer) else {
        throw UpdateError.malformed("there is no memory for a picture")
      }
      let (stride, plane) = (CVPixelBufferGetBytesPerRow(buffer), width * height)
      for place in 0..<plane {
        let pixel = base + place / width * stride + place % width * 4
        for (byte, channel) in [2, 1, 0].enumerated() {
          pixel.storeBytes(of: levels[channel * plane + place], toByteOffset: byte, as: UInt8.self)
        }
        pixel.storeBytes(of: 255, toByteOffset: 3, as: UInt8.self)
      }
      return buffer
    }
  }
#endif
