import ArgumentParser
import ClientHost
import Files
import IngotClient
import SelfTesting

struct ClientCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "client",
    abstract: "Play a device that takes updates from a repository.",
    discussion: """
      A folder plays the device, and this program the app on it, with the library that apps use. So a release \
      can be tried from the first install to the way back, before a phone sees it. Models run on Ingot's own \
      executor.

      Examples:
        ingot client init phone --repository http://127.0.0.1:8080 --root 1.root.json --bundle com.customer.app --sdk 5.4.0
        ingot client update phone
        ingot client confirm phone
      """,
    subcommands: [
      ClientInitCommand.self, ClientCheckCommand.self, ClientUpdateCommand.self,
      ClientRunCommand.self, ClientConfirmCommand.self, ClientRollBackCommand.self,
    ])
}

/// The folder of a device.
struct DeviceArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("The folder of the device.", valueName: "device"))
  var device: String

  @OptionGroup var jobs: JobOptions

  /// Works with the client of the app on it.
  func withClient<Value: Sendable>(
    _ body: @escaping @Sendable (UpdateClient) async throws -> Value
  ) throws -> Value {
    guard Folder.kind(of: Folder.join(device, "device.json")) == .file else {
      throw Failure(
        message: "\(device): is not the folder of a device",
        hint: "'ingot client init' makes one")
    }
    let client = try DeviceFolder(device).client(jobs: jobs.count)
    do {
      return try waiting { try await body(client) }
    } catch let error as UpdateError {
      throw Failure(message: "\(device): \(error)", hint: error.hint, status: error.status)
    } catch var failure as Failure {
      failure.message = "\(device): \(failure.message)"
      throw failure
    }
  }
}

/// Waits for asynchronous work; this thread does nothing else meanwhile.
private func waiting<Value: Sendable>(
  _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let (outcome, signal) = (Outcome<Value>(), Signal())
  Task.detached {
    do {
      let value = try await body()
      outcome.result.withLock { $0 = .success(value) }
    } catch {
      outcome.result.withLock { $0 = .failure(error) }
    }
    signal.send()
  }
  signal.wait()
  guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
  return try result.get()
}

/// How asynchronous work ended.
private final class Outcome<Value: Sendable>: Sendable {
  let result = Mutex<Result<Value, any Error>?>(nil)
}

extension UpdateClient.Version {
  /// `1.4.0, on trial`.
  var words: String { isOnTrial ? "\(version), on trial" : version }
}
