import Files

/// Signs through an ssh-agent, which holds the private half and never shows it.
package struct AgentSigner: Signer {
  package let publicKey: PublicKey
  private let path: String
  private let patience: AgentConnection.Patience

  /// Makes sure that the agent at `SSH_AUTH_SOCK` holds a key.
  package init(key: PublicKey) throws(SignatureError) {
    guard let path = System.environment("SSH_AUTH_SOCK"), !path.isEmpty else {
      throw .agent(
        fault: "there is none, 'SSH_AUTH_SOCK' is not set", hint: AgentConnection.start)
    }
    try self.init(key: key, path: path)
  }

  init(
    key: PublicKey, path: String, patience: AgentConnection.Patience = .init()
  ) throws(SignatureError) {
    publicKey = key
    self.path = path
    self.patience = patience
    let keys = try AgentConnection(path: path, patience: patience).keys()
    guard keys.contains(key.blob) else {
      throw .agent(
        fault: "does not hold the key \(key) among its \(keys.count)",
        hint: "hand it the key with 'ssh-add KEY'; 'ssh-add -l' lists what it holds")
    }
  }

  package func sign(_ bytes: [UInt8]) throws(SignatureError) -> [UInt8] {
    let signature = try AgentConnection(path: path, patience: patience).sign(bytes, by: publicKey)
    guard publicKey.verifies(signature, of: bytes) else {
      throw .agent(
        fault: "gave a signature that the key \(publicKey) did not make",
        hint: "ask another agent: 'SSH_AUTH_SOCK' names it")
    }
    return signature
  }
}
