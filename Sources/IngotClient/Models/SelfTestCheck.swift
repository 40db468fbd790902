import Files
public import SelfTesting
import StrictJSON

/// Loads models on this device.
public protocol DeviceModelLoader: Sendable {
  /// A model, ready to run.
  ///
  /// - Throws: what keeps it from being loaded.
  func load(_ model: InstalledModel) async throws -> any SelfTestable
}

/// Loads every model of a version and runs its self-test; a version with a model that has none does not pass.
public struct SelfTestCheck: ModelCheck {
  private let loader: any DeviceModelLoader

  /// A check of models as this loader gives them.
  public init(_ loader: any DeviceModelLoader) { self.loader = loader }

  /// See `ModelCheck`.
  ///
  /// - Throws: `UpdateError`, `SelfTestFailure`, and what the loader throws.
  public func check(_ folder: String) async throws {
    let models = try InstalledModel.all(in: folder)
    guard !models.isEmpty else { throw UpdateError.malformed("the version has no models") }
    for model in models {
      do {
        guard let test = try model.readSelfTest() else {
          throw UpdateError.malformed("has no self-test, so that nothing shows that it works here")
        }
        try model.checkRows(of: test)
        try await test.run(on: try await loader.load(model))
      } catch let error as CancellationError {
        throw error
      } catch {
        throw UpdateError.malformed("model '\(model.name)': \(error)")
      }
    }
  }
}

extension InstalledModel {
  /// Its self-test; nil in packages of before there were any.
  ///
  /// - Throws: `UpdateError` for one that cannot be read.
  public func readSelfTest() throws(UpdateError) -> SelfTest? {
    guard let selfTest else { return nil }
    do {
      return try SelfTest(
        MappedFile.contents(of: selfTest, limit: SelfTest.byteLimit), origin: selfTest)
    } catch let error as FileError {
      throw .disk("\(error)")
    } catch {
      throw .malformed("\(error)")
    }
  }
}

extension UpdateClient.Version {
  /// Its models, in the order of the manifest.
  ///
  /// - Throws: `UpdateError` for a manifest that cannot be read.
  public func models() throws(UpdateError) -> [InstalledModel] {
    try InstalledModel.all(in: folder)
  }
}
