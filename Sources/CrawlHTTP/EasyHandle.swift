import CCurl

import CrawlCore

/// One of libcurl's handles, used for one transfer after the other so that what it has allocated serves again.
///
/// Belongs to the thread of the loop, as do its callbacks.
final class EasyHandle {
    /// What is the same for every transfer.
    struct Settings: Sendable {
        var userAgent: String
        var certificates: CertificateStore
        var connectTimeout: Duration
        var fixedAddresses: [String]
    }

    /// libcurl's handle.
    let easy: UnsafeMutableRawPointer
    /// The transfer that it carries.
    private(set) var transfer: Transfer?
    /// The address that is being asked.
    private(set) var url: HTTPURL?
    /// The answer to it, as far as it came.
    private(set) var answer: IncomingAnswer?

    /// Whether the answer waits for memory.
    private(set) var isPaused = false

    private let settings: Settings
    private let budget: BodyBudget
    private let explanation = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var fieldList: UnsafeMutablePointer<curl_slist>?
    private var addressList: UnsafeMutablePointer<curl_slist>?
    private var usesProxy = false

    /// A handle, or nil where there is no memory.
    init?(settings: Settings, share: UnsafeMutableRawPointer?, budget: BodyBudget) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.settings = settings
        self.budget = budget
        explanation.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        set(CURLOPT_NOSIGNAL, 1)
        // Without it a transfer that ends while its host's name is looked up would wait for the look-up.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Older versions are broken (RFC 8996), and whether libcurl takes them depends on how OpenSSL is set up.
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_BUFFERSIZE, 128 << 10)
        set(CURLOPT_USERAGENT, settings.userAgent)
        // Asked for by libcurl, decoded by ContentDecoder.
        set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate, br")
        set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        // ProxySettings decides about proxies; an empty text keeps libcurl from looking into the environment itself.
        set(CURLOPT_NOPROXY, "")
        if let file = settings.certificates.file { set(CURLOPT_CAINFO, file) }
        if let folder = settings.certificates.folder { set(CURLOPT_CAPATH, folder) }
        for address in settings.fixedAddresses { addressList = curl_slist_append(addressList, address) }
        if addressList != nil { crawl_curl_set_list(easy, CURLOPT_RESOLVE, addressList) }
        crawl_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, explanation)
        crawl_curl_set_pointer(easy, CURLOPT_SHARE, share)
        let context = Unmanaged.passUnretained(self).toOpaque()
        crawl_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        crawl_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        crawl_curl_set_pointer(easy, CURLOPT_PREREQDATA, context)
        crawl_curl_set_receive(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            EasyHandle.receive(bytes, size * count, context) { $0.receiveHeaderLine($1) ? .taken : .stop }
        }
        crawl_curl_set_receive(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            EasyHandle.receive(bytes, size * count, context) { $0.receiveBody($1) }
        }
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fieldList)
        curl_slist_free_all(addressList)
        explanation.deallocate()
    }

    /// Makes the handle ready to ask `url` for `transfer`, through `proxy` where there is one.
    ///
    /// `mustBePublic` refuses to send the request where the name resolved to a private address.
    func prepare(_ transfer: Transfer, url: HTTPURL, proxy: String?, mustBePublic: Bool) {
        self.transfer = transfer
        self.url = url
        usesProxy = proxy != nil
        answer = IncomingAnswer(
            authority: url.authority, maxHeaderBytes: transfer.request.maxHeaderBytes,
            maxBodyBytes: transfer.request.maxBodyBytes, share: BodyShare(of: budget))
        isPaused = false
        explanation.pointee = 0
        set(CURLOPT_URL, url.text)
        set(CURLOPT_USERNAME, url.user)
        set(CURLOPT_PASSWORD, url.password)
        set(CURLOPT_PROXY, proxy ?? "")
        set(CURLOPT_TIMEOUT_MS, transfer.remaining.wholeMilliseconds)
        set(CURLOPT_CONNECTTIMEOUT_MS, min(settings.connectTimeout, transfer.remaining).wholeMilliseconds)
        setFields(transfer.headers)
        // What a proxy resolves cannot be seen from here.
        let checksAddress = mustBePublic && proxy == nil
        crawl_curl_set_before_request(easy, checksAddress ? Self.refusePrivateAddress : nil)
    }

    /// Lets go of the transfer.
    func clear() {
        transfer?.handle = nil
        transfer = nil
        url = nil
        answer = nil
    }

    /// The status of the answer.
    var status: Int {
        number(CURLINFO_RESPONSE_CODE)
    }

    /// The address that the connection leads to, nil where that is a proxy's.
    var connectedAddress: String? {
        var text: UnsafeMutablePointer<CChar>?
        guard !usesProxy, crawl_curl_get_text(easy, CURLINFO_PRIMARY_IP, &text) == CURLE_OK, let text else {
            return nil
        }
        return String(cString: text)
    }

    /// What a result other than `CURLE_OK` amounts to.
    func failure(_ code: CURLcode) -> FetchFailure {
        if let fault = answer?.fault {
            return .network(fault.kind, detail: fault.detail)
        }
        let text = String(cString: explanation)
        return TransferFault(
            code: code, explanation: text.isEmpty ? String(cString: curl_easy_strerror(code)) : text,
            authority: url?.authority ?? "", usesProxy: usesProxy, proxyStatus: number(CURLINFO_HTTP_CONNECTCODE),
            systemError: Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO)), hasBegun: answer?.hasBegun ?? false,
            bodyBytes: answer?.wireBytes ?? 0, timeout: transfer?.request.timeout ?? .zero
        ).failure
    }

    private static func receive(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        _ take: (IncomingAnswer, UnsafeRawBufferPointer) -> IncomingAnswer.Reception
    ) -> Int {
        guard let context else { return 0 }
        let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
        guard let answer = handle.answer else { return 0 }
        switch take(answer, UnsafeRawBufferPointer(start: bytes, count: count)) {
        case .taken: return count
        case .mustWait:
            handle.isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        // Fewer bytes than were offered end the transfer; none were offered where `count` is 0.
        case .stop: return count == 0 ? 1 : 0
        }
    }

    /// Takes up an answer that was paused; it may be paused again at once.
    func resume() {
        isPaused = false
        curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    /// Leaves the time-out to the loop, which knows how long the answer was paused.
    func giveUpTimeout() {
        set(CURLOPT_TIMEOUT_MS, 0)
    }

    private static let refusePrivateAddress: curl_prereq_callback = { context, address, _, _, _ in
        guard let context, let address else { return CURL_PREREQFUNC_ABORT }
        let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
        guard NetworkAddress(String(cString: address))?.isPrivate != false else { return CURL_PREREQFUNC_OK }
        let authority = handle.url?.authority ?? ""
        handle.answer?.fail(.unsafeRedirect, "a redirect leads to \(authority), which is at no public address")
        return CURL_PREREQFUNC_ABORT
    }

    private func setFields(_ headers: HTTPHeaders) {
        crawl_curl_set_list(easy, CURLOPT_HTTPHEADER, nil)
        curl_slist_free_all(fieldList)
        fieldList = nil
        for field in headers.fields {
            let value = Self.singleLine(field.value)
            // libcurl takes `Name:` as the wish to leave the field out and `Name;` as an empty one.
            fieldList = curl_slist_append(fieldList, value.isEmpty ? field.name + ";" : "\(field.name): \(value)")
        }
        if fieldList != nil { crawl_curl_set_list(easy, CURLOPT_HTTPHEADER, fieldList) }
    }

    /// The value with blanks for what would begin another field
    /// ([RFC 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)), and without blanks around it.
    private static func singleLine(_ value: String) -> String {
        var bytes = value.utf8.map { $0 == 0x0d || $0 == 0x0a || $0 == 0 ? UInt8(ascii: " ") : $0 }
        while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
        return String(decoding: bytes.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }

    private func set(_ option: CURLoption, _ value: Int) {
        crawl_curl_set_long(easy, option, value)
    }

    private func set(_ option: CURLoption, _ value: String?) {
        crawl_curl_set_text(easy, option, value)
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        return crawl_curl_get_long(easy, info, &value) == CURLE_OK ? value : 0
    }
}

extension Duration {
    /// Milliseconds as libcurl and poll take them: at least 1, because 0 means for ever.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max / 1000) else { return Int(Int32.max) }
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
