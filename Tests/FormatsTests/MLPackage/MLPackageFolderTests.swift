import Files
import Formats
import Glibc
import TestSupport
import Testing
import Weights

@Suite struct MLPackageFolderTests {
  /// How a program names the weights file.
  private static let weightsReference = "@model_path/weights/weight.bin"
  let folder: TemporaryFolder
  var path: String { folder.path("X.mlpackage") }

  init() throws { folder = try TemporaryFolder() }

  private func make(_ files: [String: [UInt8]] = [:], hasWeights: Bool = true) throws {
    let package = try AtomicFolder(path: path)
    let manifest = MLPackageManifest(digest: ContentDigest(of: [1]), hasWeights: hasWeights)
    var all = [MLPackageLayout.manifest: manifest.text, MLPackageLayout.model: [1, 2, 3]]
    if hasWeights { all[MLPackageLayout.weights] = BlobBytes.header(count: 0) }
    all.merge(files) { $1 }
    for (name, bytes) in all { try package.write(bytes, to: name) }
    try package.commit()
  }

  private func unsound(_ fault: String) -> String {
    "\(path): is not a sound Core ML package: \(fault)"
  }

  private func link(_ name: String, to target: String) throws {
    let place = Folder.join(path, name)
    try Folder.remove(place)
    #expect(symlink(target, place) == 0)
  }

  @Test(arguments: ["", "/", "//"]) func opens(_ slashes: String) throws {
    try make()
    #expect(MLPackageFolder.isMLPackage(path + slashes))
    let package = try MLPackageFolder(path: path + slashes)
    #expect(try package.model() == [1, 2, 3])
    #expect(try package.blob(named: Self.weightsReference).count == 0)
    #expect(
      try package.files() == [
        "Data/com.apple.CoreML/model.mlmodel", "Data/com.apple.CoreML/weights/weight.bin",
        "Manifest.json",
      ])
  }

  @Test func withoutWeights() throws {
    try make(hasWeights: false)
    let package = try MLPackageFolder(path: path)
    #expect(package.manifest.items.count == 1)
    #expect(
      message { _ = try package.blob(named: "@model_path/weights/weight.bin") }
        == unsound(
          "the program names the weights file '@model_path/weights/weight.bin', which is missing"))
  }

  /// Another folder and another name, as the manifest says.
  @Test func ofAnotherWriter() throws {
    let item = #""author": "com.microsoft.OnnxRuntime", "description": "d", "name": "n""#
    let manifest = """
      {"fileFormatVersion": "1.0.0", "itemInfoEntries": {
      "a": {\(item), "path": "other/model"}, "b": {\(item), "path": "other/w"}},
      "rootModelIdentifier": "a"}
      """
    try make([
      "Manifest.json": Array(manifest.utf8), "Data/other/model": [7],
      "Data/other/w/weight.bin": BlobBytes.header(count: 0),
    ])
    let package = try MLPackageFolder(path: path)
    #expect(try package.model() == [7])
    #expect(package.modelPath == path + "/Data/other/model")
    #expect(
      try package.weightsPath("@model_path/w/weight.bin") == path + "/Data/other/w/weight.bin")
  }

  @Test func isNoPackage() throws {
    #expect(!MLPackageFolder.isMLPackage(path))
    try Folder.create(path)
    #expect(!MLPackageFolder.isMLPackage(path))
    try Folder.create(path + "/Manifest.json")
    #expect(!MLPackageFolder.isMLPackage(path))
    try AtomicFile.write([], to: folder.path("file.mlpackage"))
    #expect(!MLPackageFolder.isMLPackage(folder.path("file.mlpackage")))
  }

  @Test func missingParts() throws {
    #expect(
      message { _ = try MLPackageFolder(path: path) }
        == "\(path): cannot find: no such file or directory")
    try make()
    try Folder.remove(path + "/Data/com.apple.CoreML/weights")
    #expect(
      message { _ = try MLPackageFolder(path: path) }
        == unsound("the manifest names 'com.apple.CoreML/weights', which is missing"))
    try Folder.remove(path + "/Data")
    #expect(
      message { _ = try MLPackageFolder(path: path) }
        == unsound("the manifest names 'com.apple.CoreML/model.mlmodel', which is missing"))
    try Folder.remove(path + "/Manifest.json")
    #expect(
      message { _ = try MLPackageFolder(path: path) }
        == "\(path)/Manifest.json: cannot find: no such file or directory")
  }

  @Test func anEmptyManifest() throws {
    try make(["Manifest.json": []])
    #expect(
      message { _ = try MLPackageFolder(path: path) }
        == "\(path)/Manifest.json:1:1: the text ends where a value is expected")
  }

  @Test func tooLarge() throws {
    try make()
    let package = try MLPackageFolder(path: path)
    #expect(truncate(package.modelPath, 16 << 20) == 0)
    #expect(try package.model().count == 16 << 20)
    #expect(truncate(package.modelPath, 16 << 20 + 1) == 0)
    #expect(
      message { _ = try package.model() }
        == "\(path)/Data/com.apple.CoreML/model.mlmodel: has 16777217 bytes, "
        + "the limit for such a file is 16777216")
    #expect(truncate(path + "/Manifest.json", 1 << 20 + 1) == 0)
    #expect(
      message { _ = try MLPackageFolder(path: path) }
        == "\(path)/Manifest.json: has 1048577 bytes, the limit for such a file is 1048576")
  }

  @Test func theModelIsAFolder() throws {
    try make()
    let package = try MLPackageFolder(path: path)
    try Folder.remove(package.modelPath)
    try Folder.create(package.modelPath)
    #expect(
      message { _ = try package.model() }
        == "\(package.modelPath): is a folder, expected a regular file")
  }

  struct Reference: Sendable, CustomTestStringConvertible {
    let name: String
    let fault: String
    var testDescription: String { name }
  }

  static let noPrefix = "expected a path that begins with '@model_path/'"
  static let references: [Reference] = [
    Reference(name: "", fault: "'', \(noPrefix)"),
    Reference(name: "weights/weight.bin", fault: "'weights/weight.bin', \(noPrefix)"),
    Reference(name: "/etc/passwd", fault: "'/etc/passwd', \(noPrefix)"),
    Reference(name: "@model_path", fault: "'@model_path', \(noPrefix)"),
    Reference(name: "@model_path/", fault: "'@model_path/', whose path is empty"),
    Reference(name: "@model_path//etc", fault: "'@model_path//etc', whose path is absolute"),
    Reference(
      name: "@model_path/../../../x",
      fault: "'@model_path/../../../x', whose path has the part '..'"),
    Reference(
      name: "@model_path/a\u{7}",
      fault: #"'@model_path/a\u{7}', whose path holds a control character"#),
    Reference(name: "@model_path/no.bin", fault: "'@model_path/no.bin', which is missing"),
    Reference(name: "@model_path/weights", fault: "'@model_path/weights', which is missing"),
  ]

  @Test(arguments: references) func refusesAReference(_ test: Reference) throws {
    try make()
    let package = try MLPackageFolder(path: path)
    #expect(
      message { _ = try package.blob(named: test.name) }
        == unsound("the program names the weights file \(test.fault)"))
  }

  @Test(arguments: [
    "Manifest.json", "Data/com.apple.CoreML/model.mlmodel", "Data/com.apple.CoreML/weights",
  ])
  func refusesALinkThatLeadsOut(_ name: String) throws {
    try make()
    let outside = folder.path("X.mlpackage-outside")
    try AtomicFile.write([1], to: outside)
    try link(name, to: outside)
    #expect(
      message { _ = try MLPackageFolder(path: path) }
        == unsound("'\(name)' is a link that leads out of the package"))
  }

  @Test func refusesWeightsThatLeadOut() throws {
    try make()
    let package = try MLPackageFolder(path: path)
    try AtomicFile.write(BlobBytes.header(count: 0), to: folder.path("outside"))
    try link("Data/com.apple.CoreML/weights/weight.bin", to: folder.path("outside"))
    let fault = unsound(
      "'Data/com.apple.CoreML/weights/weight.bin' is a link that leads out of the package")
    #expect(message { _ = try package.blob(named: Self.weightsReference) } == fault)
    #expect(message { _ = try package.files() } == fault)
  }

  @Test func aLinkInsideIsFollowed() throws {
    try make(["Data/com.apple.CoreML/w.bin": BlobBytes.header(count: 0)])
    try link("Data/com.apple.CoreML/weights/weight.bin", to: "../w.bin")
    let package = try MLPackageFolder(path: path)
    #expect(try package.blob(named: Self.weightsReference).count == 0)
    #expect(symlink(path, folder.path("link")) == 0)
    #expect(try MLPackageFolder(path: folder.path("link")).model() == [1, 2, 3])
  }

  @Test func refusesALoop() throws {
    try make()
    let package = try MLPackageFolder(path: path)
    #expect(symlink(".", path + "/Data/loop") == 0)
    #expect(
      message { _ = try package.files() }
        == unsound("holds folders more than 16 deep in each other"))
  }

  @Test func refusesAPipe() throws {
    try make()
    #expect(mkfifo(path + "/pipe", 0o600) == 0)
    #expect(
      message { _ = try MLPackageFolder(path: path).files() }
        == unsound("holds 'pipe', which is neither a file nor a folder"))
  }

  @Test func refusesTooManyFiles() throws {
    try make()
    let package = try MLPackageFolder(path: path)
    for index in 0..<997 {
      #expect(close(creat(path + "/\(index)", 0o600)) == 0)
    }
    #expect(try package.files().count == 1000)
    #expect(close(creat(path + "/more", 0o600)) == 0)
    #expect(message { _ = try package.files() } == unsound("holds more than 1000 files"))
  }
}
