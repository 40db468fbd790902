import TestSupport

extension Nginx {
  /// A server with the same rules for every path.
  ///
  /// - Parameters:
  ///   - rules: nginx directives.
  ///   - certificate: a file with a certificate and its key, to speak TLS.
  convenience init(
    rules: String = "dav_methods PUT; create_full_put_path on;", certificate: String? = nil
  ) throws {
    let tls = certificate.map { " ssl; ssl_certificate \($0); ssl_certificate_key \($0)" } ?? ""
    try self.init(scheme: certificate == nil ? "http" : "https") { listening, root in
      """
      client_max_body_size 0;
      server { listen \(listening)\(tls); root \(root); location / { \(rules) } }
      """
    }
  }
}
