import Files
import Project
import Signatures

/// Checks the needs of signing: the project's key, OpenSSH to make keys and verify, and an agent.
enum SigningCheck: MachineCheck {
  static func findings(_ subject: DoctorSubject) -> [MachineFinding] {
    let key = ProjectValidator.signingKey(of: subject.project)
    // The private half of such a key is held by an agent.
    let held = key.flatMap { $0.fault == nil && $0.path.hasSuffix(".pub") ? $0.path : nil }
    return [program, agent(for: held)]
      + (key.map { [finding(ofKey: $0)] } ?? [])
  }

  private static var program: MachineFinding {
    guard let path = Machine.path(ofProgram: "ssh-keygen") else {
      return MachineFinding(
        name: "ssh-keygen", status: .warning, found: "not there",
        mend: "apt-get install openssh-client; it makes keys, and verifies as 'ingot verify' does")
    }
    let version = Machine.firstLine(of: "exec ssh -V 2>&1 </dev/null")
    let isVersion = version?.hasPrefix("OpenSSH") ?? false
    return MachineFinding(
      name: "ssh-keygen", status: .ok, found: isVersion ? version ?? path : path)
  }

  /// Whether an agent answers, and holds the key where the project needs one.
  private static func agent(for key: String?) -> MachineFinding {
    let mend = "start one: eval \"$(ssh-agent)\", and add the key: ssh-add KEY"
    let path = System.environment("SSH_AUTH_SOCK") ?? ""
    guard path.isEmpty else { return agent(at: path, for: key, mend: mend) }
    guard key == nil else {
      return MachineFinding(
        name: "ssh-agent", status: .missing, found: "SSH_AUTH_SOCK is not set", mend: mend)
    }
    return MachineFinding(
      name: "ssh-agent", status: .ok, found: "none; a key file without a passphrase needs none")
  }

  private static func agent(at path: String, for key: String?, mend: String) -> MachineFinding {
    do {
      _ = try LocalSocket(path: path, seconds: 2)
      if let key { _ = try SigningKey.open(key) }
      return MachineFinding(name: "ssh-agent", status: .ok, found: path)
    } catch let error as SignatureError {
      return MachineFinding(
        name: "ssh-agent", status: .missing, found: "\(error)", mend: error.hint ?? mend)
    } catch {
      return MachineFinding(
        name: "ssh-agent", status: key == nil ? .warning : .missing, found: "\(error)", mend: mend)
    }
  }

  private static func finding(ofKey key: (path: String, fault: Fault?)) -> MachineFinding {
    guard let fault = key.fault else {
      return MachineFinding(name: "signing key", status: .ok, found: key.path)
    }
    return MachineFinding(
      name: "signing key", status: .missing, found: fault.message, mend: fault.hint)
  }
}
