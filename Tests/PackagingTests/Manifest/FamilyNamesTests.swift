import Graph
import Testing

@testable import Packaging

/// Names of members in packages, and whose files lie where.
struct FamilyNamesTests {
  @Test(arguments: [
    ("users", true), ("users/ada", true), ("users/image", true), ("a/b/c", false),
    ("users/", false), ("/ada", false), ("users/.ada", false), ("users/model.x", false),
    ("users/../ada", false), (String(repeating: "a", count: 65) + "/b", false),
    ("b/" + String(repeating: "a", count: 64), true),
    ("b/" + String(repeating: "a", count: 65), false),
  ])
  func namesOfPackedModels(_ name: String, _ isOne: Bool) {
    #expect(Identifiers.isPackedName(name) == isOne)
  }

  @Test(arguments: [
    ("models/ranker/model.safetensors", "models/ranker/model.safetensors"),
    ("models/ranker/model.mlpackage/Data/x", "models/ranker/model.mlpackage"),
    ("models/ranker/tokenizer.json", "models/ranker/tokenizer.json"),
    ("models/clip/image/model.mlpackage/Data/x", "models/clip/image/model.mlpackage"),
    ("models/users/ada/model.mlpackage/Data/x", "models/users/ada/model.mlpackage"),
    ("models/users/image/model.mlmodel", "models/users/image/model.mlmodel"),
    ("models/users/ada/tokenizer.json", "models/users/ada/tokenizer.json"),
    ("sbom.cdx.json", "sbom.cdx.json"),
  ])
  func filesOfModels(_ path: String, _ model: String) throws {
    #expect(try PackagePath(path).ofModel == model)
  }

  @Test func familiesShareTheirNameWithNoOther() {
    typealias Identity = ModelIdentity
    let members: [Identity] = [.shared(name: "users/ada"), .shared(name: "users/ben")]
    #expect((members + [.shared(name: "ranker")]).firstClash == nil)
    let clashes: [Identity] = [
      .shared(name: "users"), .shared(name: "Users/ADA"),
      .flow(id: 1, name: "users", modelVersion: 1), .shared(name: "users", encoder: .image),
      .shared(name: "users/cyd", encoder: .image),
    ]
    for clash in clashes {
      #expect((members + [clash]).firstClash == clash)
      #expect(([clash] + members).firstClash != nil)
    }
  }
}
