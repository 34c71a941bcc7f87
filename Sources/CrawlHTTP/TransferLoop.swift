import CCurl
import Glibc
import Synchronization

import CrawlCore

/// The thread that carries out all transfers of a client, and the inbox through which they reach it.
final class TransferLoop: @unchecked Sendable {
    // Unchecked: everything but `inbox` is touched by the loop's thread alone.

    /// What other threads hand over.
    private struct Inbox {
        var starts: [Transfer] = []
        var cancels: [Transfer] = []
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
        /// What wakes the thread, while there is something to wake.
        var alarm: Alarm?
        var isAsleep = false
        var isClosing = false
        var hasEnded = false
    }

    /// Wakes a thread that sleeps in `curl_multi_poll`.
    private struct Alarm: @unchecked Sendable {
        // Unchecked: curl_multi_wakeup is the one function that any thread may call; the lock of the inbox keeps the
        // handle alive meanwhile.
        let multi: UnsafeMutableRawPointer

        func ring() {
            curl_multi_wakeup(multi)
        }
    }

    private let inbox = Mutex(Inbox())
    private let settings: EasyHandle.Settings
    private let proxies: ProxySettings
    private let redirects: RedirectPolicy
    private let stallWindow: Duration

    private var multi: UnsafeMutableRawPointer?
    private var share: UnsafeMutableRawPointer?
    private var active: [UnsafeMutableRawPointer: EasyHandle] = [:]
    private var idle: [EasyHandle] = []
    private var nextStallCheck = ContinuousClock.now

    /// An answer that has begun is given up where fewer bytes a second come, over the length of the stall window.
    private static let slowestBytesPerSecond = 10.0
    private static let mostIdleHandles = 64
    private static let mostIdleConnections = 128

    init(settings: EasyHandle.Settings, proxies: ProxySettings, redirects: RedirectPolicy, stallWindow: Duration) {
        self.settings = settings
        self.proxies = proxies
        self.redirects = redirects
        self.stallWindow = stallWindow
    }

    // MARK: - From any thread

    /// Starts the thread, which keeps the loop alive until `close`.
    func launch() {
        var thread = pthread_t()
        let retained = Unmanaged.passRetained(self)
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, retained.toOpaque())
        guard result == 0 else {
            retained.release()
            return end()
        }
        pthread_detach(thread)
    }

    /// Hands over a transfer that begins; its outcome comes through its continuation.
    func start(_ transfer: Transfer) {
        let isAccepted = inbox.withLock { inbox in
            guard !inbox.hasEnded, !inbox.isClosing else { return false }
            inbox.starts.append(transfer)
            wake(&inbox)
            return true
        }
        if !isAccepted { transfer.finish(.failure(Self.closed)) }
    }

    /// Ends a transfer, wherever it is on its way.
    func cancel(_ transfer: Transfer) {
        inbox.withLock { inbox in
            guard !inbox.hasEnded else { return }
            inbox.cancels.append(transfer)
            wake(&inbox)
        }
    }

    /// Ends all transfers and the thread; returns at once.
    func close() {
        inbox.withLock { inbox in
            inbox.isClosing = true
            wake(&inbox)
        }
    }

    /// Returns when the thread has let go of everything.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let hasEnded = inbox.withLock { inbox in
                if !inbox.hasEnded { inbox.waitingForEnd.append(continuation) }
                return inbox.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// Wakes the thread, once for all that is handed over while it sleeps.
    private func wake(_ inbox: inout Inbox) {
        guard inbox.isAsleep, let alarm = inbox.alarm else { return }
        inbox.isAsleep = false
        alarm.ring()
    }

    // MARK: - On the loop's thread

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    private static let closed = FetchFailure.network(.cancelled, detail: "the HTTP client is closed")
    private static let cancelled = FetchFailure.network(.cancelled, detail: "the request was cancelled")

    private func run() {
        defer { end() }
        guard Self.isLibraryReady, let multi = curl_multi_init() else { return }
        self.multi = multi
        crawl_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.mostIdleConnections)
        share = curl_share_init()
        if let share { crawl_curl_share_tls_sessions(share) }
        let alarm = Alarm(multi: multi)
        inbox.withLock { $0.alarm = alarm }
        while takeInbox() {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            collectFinished()
            checkStalls()
            let maySleep = inbox.withLock { inbox in
                inbox.isAsleep = inbox.starts.isEmpty && inbox.cancels.isEmpty && !inbox.isClosing
                return inbox.isAsleep
            }
            if maySleep { curl_multi_poll(multi, nil, 0, active.isEmpty ? 60_000 : 500, nil) }
        }
    }

    /// Begins and ends what was handed over; false once the loop has to end.
    private func takeInbox() -> Bool {
        let (starts, cancels, isClosing) = inbox.withLock { inbox in
            defer {
                inbox.starts.removeAll(keepingCapacity: true)
                inbox.cancels.removeAll(keepingCapacity: true)
                inbox.isAsleep = false
            }
            return (inbox.starts, inbox.cancels, inbox.isClosing)
        }
        if isClosing {
            for transfer in starts { transfer.finish(.failure(Self.closed)) }
            return false
        }
        for transfer in starts { begin(transfer) }
        for transfer in cancels {
            transfer.isCancelled = true
            finish(transfer, .failure(Self.cancelled))
        }
        return true
    }

    private func begin(_ transfer: Transfer) {
        // The cancellation may have come first.
        guard !transfer.isCancelled else { return transfer.finish(.failure(Self.cancelled)) }
        guard let url = HTTPURL(transfer.request.url) else {
            return transfer.finish(.failure(.network(.badURL, detail: "the address is no http or https URL")))
        }
        guard let handle = idle.popLast() ?? EasyHandle(settings: settings, share: share) else {
            return transfer.finish(.failure(.network(.other, detail: "no memory for a request to \(url.authority)")))
        }
        transfer.handle = handle
        ask(url, with: handle, for: transfer, mustBePublic: false)
    }

    private func ask(_ url: HTTPURL, with handle: EasyHandle, for transfer: Transfer, mustBePublic: Bool) {
        handle.prepare(transfer, url: url, proxy: proxies.proxy(for: url), mustBePublic: mustBePublic)
        transfer.stallWindow = nil
        active[handle.easy] = handle
        guard curl_multi_add_handle(multi, handle.easy) == CURLM_OK else {
            return finish(transfer, .failure(.network(.other, detail: "no request to \(url.authority) can be made")))
        }
    }

    private func collectFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = active[message.pointee.easy_handle],
                let transfer = handle.transfer
            else { continue }
            complete(transfer, with: handle, result: crawl_curl_message_result(message))
        }
    }

    private func complete(_ transfer: Transfer, with handle: EasyHandle, result: CURLcode) {
        guard result == CURLE_OK, let url = handle.url, let answer = handle.answer else {
            return finish(transfer, .failure(handle.failure(result)))
        }
        do throws(FetchFailure) {
            let status = handle.status
            if RedirectPolicy.isRedirect(status: status), let location = answer.headers["Location"] {
                let step = try redirects.follow(
                    location, from: url, connectedAddress: handle.connectedAddress, followed: transfer.redirects)
                guard transfer.remaining > .zero else { throw handle.failure(CURLE_OPERATION_TIMEDOUT) }
                transfer.redirects += 1
                if !step.keepsSecrets { transfer.dropSecrets() }
                curl_multi_remove_handle(multi, handle.easy)
                return ask(step.url, with: handle, for: transfer, mustBePublic: step.mustBePublic)
            }
            let response = HTTPResponse(
                status: status, headers: answer.headers, body: try answer.finish(), wireBytes: answer.wireBytes,
                finalURL: url.text, seconds: transfer.started.duration(to: .now) / .seconds(1))
            finish(transfer, .success(response))
        } catch {
            finish(transfer, .failure(error))
        }
    }

    /// Takes the transfer off its handle and tells the waiting task.
    private func finish(_ transfer: Transfer, _ outcome: Transfer.Outcome) {
        if let handle = transfer.handle {
            curl_multi_remove_handle(multi, handle.easy)
            active[handle.easy] = nil
            handle.clear()
            if idle.count < Self.mostIdleHandles { idle.append(handle) }
        }
        transfer.finish(outcome)
    }

    /// Gives up answers whose body has begun and that come too slowly to be meant.
    ///
    /// libcurl's own low-speed time-out would also end requests that a server takes long to think about.
    private func checkStalls() {
        let now = ContinuousClock.now
        guard now >= nextStallCheck else { return }
        nextStallCheck = now + .milliseconds(250)
        for handle in active.values {
            guard let transfer = handle.transfer, let bytes = handle.answer?.wireBytes, bytes > 0 else { continue }
            guard let window = transfer.stallWindow else {
                transfer.stallWindow = (now, bytes)
                continue
            }
            let length = window.began.duration(to: now)
            guard length >= stallWindow else { continue }
            if Double(bytes - window.bytes) < Self.slowestBytesPerSecond * (length / .seconds(1)) {
                let detail =
                    "\(handle.url?.authority ?? "") sent only \(bytes - window.bytes) bytes in the last "
                    + "\(length.components.seconds) s"
                finish(transfer, .failure(.network(.timedOut, detail: detail)))
            } else {
                transfer.stallWindow = (now, bytes)
            }
        }
    }

    /// Lets go of everything; nothing can be handed over afterwards.
    private func end() {
        let (starts, waiting) = inbox.withLock { inbox in
            inbox.hasEnded = true
            inbox.alarm = nil
            defer {
                inbox.starts = []
                inbox.cancels = []
                inbox.waitingForEnd = []
            }
            return (inbox.starts, inbox.waitingForEnd)
        }
        for transfer in starts { transfer.finish(.failure(Self.closed)) }
        for handle in Array(active.values) {
            if let transfer = handle.transfer { finish(transfer, .failure(Self.closed)) }
        }
        // In this order: a handle refers to the multi handle that it is in, and both to the shared sessions.
        active = [:]
        idle = []
        if let multi { curl_multi_cleanup(multi) }
        if let share { curl_share_cleanup(share) }
        multi = nil
        share = nil
        for continuation in waiting { continuation.resume() }
    }
}
