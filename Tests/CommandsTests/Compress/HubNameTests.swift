import TestSupport
import Testing

/// Names of models on the hub where a path is expected, and paths that are mistyped.
struct HubNameTests {
  private func inspect(_ name: String, in folder: TemporaryFolder) throws -> String {
    let run = try Program.run(["inspect", name], in: folder.path)
    #expect(run.status == 1)
    return run.errors
  }

  @Test(arguments: [
    (
      path: "owner/name", what: "a name on the Hugging Face hub and no path here",
      name: "owner/name"
    ),
    (
      path: "some-base-uncased", what: "no path here, and may be a name on the Hugging Face hub",
      name: "some-base-uncased"
    ),
    (
      path: "https://huggingface.co/owner/name/tree/main",
      what: "an address on the Hugging Face hub and no path here", name: "owner/name"
    ),
  ])
  func namesOfTheHubSayHowToFetch(_ test: (path: String, what: String, name: String)) throws {
    #expect(
      try inspect(test.path, in: TemporaryFolder())
        == "error: \(test.path): is \(test.what), which is not read; fetch it first: "
        + "hf download \(test.name) --local-dir FOLDER\n")
  }

  @Test(arguments: [
    "models/encodr", "model/encoder", "Models/encoder", "modles/encoder", "my-mode",
  ])
  func mistypedPathsAreNoNames(_ path: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("models/encoder/config.json", "{}")
    try folder.write("my-model/config.json", "{}")
    #expect(
      try inspect(path, in: folder)
        == "error: \(path): cannot open: no such file or directory\n")
  }
}
