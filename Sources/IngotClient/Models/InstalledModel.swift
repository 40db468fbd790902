import Files
import PackageNames
import StrictJSON

/// A model of a version on this device, as the version's manifest describes it.
public struct InstalledModel: Hashable, Sendable {
  /// As the project has it: `sentence-encoder`, `clip/image` for an encoder of a model with two, or
  /// `users/ada` for a member of a family.
  public let name: String
  /// `mlpackage`, `mlmodel` or `safetensors`.
  public let format: String
  /// The model's file, or the folder of its files.
  public let path: String
  /// Names of the classes that each output has, in their order; empty where it has none.
  public let labels: [String: [String]]
  /// Names the embeddings that it gives: two models with one key give the same. Nil in packages of before
  /// there were keys.
  public let cacheKey: String?
  /// What says how its inputs are made, for `InputConfiguration` of `IngotTokenizers`; nil in packages of
  /// before there was one.
  public let inputConfiguration: String?
  /// Its self-test; nil in packages of before there were any.
  public let selfTest: String?
  /// The input that takes features; nil for a model of texts or images.
  let featureInput: FeatureInput?
}

extension InstalledModel {
  private static let manifest = "manifest.json"
  /// Largest manifest that is read, in bytes.
  private static let byteLimit = 32 << 20
  /// And how many values it has.
  private static let limits = JSONParser.Limits(values: 3_000_000)

  /// The models of a version.
  ///
  /// - Parameter folder: of the version.
  /// - Throws: `UpdateError` for a manifest that cannot be read, or that has features this library does not
  ///   know how to make.
  static func all(in folder: String) throws(UpdateError) -> [InstalledModel] {
    let file = Folder.join(folder, manifest)
    do {
      let object = try JSONParser.parseObject(
        try MappedFile.contents(of: file, limit: byteLimit), origin: file, limits: limits)
      return try object.array("models").map { node in
        guard let entry = node.object else {
          throw object.mismatch("models", expected: "objects", node)
        }
        return try InstalledModel(entry, in: folder)
      }
    } catch let error as FileError {
      throw .disk("\(error)")
    } catch {
      throw .malformed("\(error)")
    }
  }

  private init(_ object: JSONObject, in folder: String) throws(JSONError) {
    let own = try object.string(object.has("name") ? "name" : "flowName")
    name = try object.has("encoder") ? "\(own)/\(object.string("encoder"))" : own
    format = try object.string("format")
    path = try Self.place("path", of: object, in: folder)
    cacheKey = try object.has("cacheKey") ? object.string("cacheKey") : nil
    inputConfiguration =
      try object.has("inputConfiguration")
      ? Self.place("inputConfiguration", of: object, in: folder) : nil
    selfTest = try object.has("selfTest") ? Self.place("selfTest", of: object, in: folder) : nil
    featureInput = try FeatureInput(object)
    var labels: [String: [String]] = [:]
    for output in try object.array("outputs").compactMap(\.object) where output.has("labels") {
      labels[try output.string("name")] = try output.array("labels").map { node in
        node.string ?? node.integer.map { "\($0)" } ?? ""
      }
    }
    self.labels = labels
  }

  private static func place(
    _ key: String, of object: JSONObject, in folder: String
  ) throws(JSONError) -> String {
    let path = try object.string(key)
    guard SafePath.isSafe(path) else {
      throw object.mismatch(key, expected: "a path inside the version", try object.required(key))
    }
    return Folder.join(folder, path)
  }
}
