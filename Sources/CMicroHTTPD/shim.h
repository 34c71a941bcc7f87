#ifndef CRAWL_CMICROHTTPD_SHIM_H
#define CRAWL_CMICROHTTPD_SHIM_H

#include <microhttpd.h>

/// Starts a server of one epoll thread on a listening socket, which the server owns and closes from then on.
///
/// The variadic call is not visible in Swift. `target` sees the raw request target and returns the request's context.
static inline struct MHD_Daemon *
crawl_httpd_start(MHD_socket listening, unsigned int connections, void *context,
                  void *(*target)(void *context, const char *target, struct MHD_Connection *connection),
                  MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed)
{
  return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, context,
                          MHD_OPTION_LISTEN_SOCKET, listening,
                          MHD_OPTION_CONNECTION_LIMIT, connections,
                          MHD_OPTION_URI_LOG_CALLBACK, target, context,
                          MHD_OPTION_NOTIFY_COMPLETED, completed, context,
                          MHD_OPTION_END);
}

/// The socket of a connection, or -1.
static inline int
crawl_httpd_socket(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *information =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return NULL == information ? -1 : information->connect_fd;
}

/// What a content reader returns to cut the body off and close the connection.
static const ssize_t crawl_httpd_cut = MHD_CONTENT_READER_END_WITH_ERROR;

/// The size of a body whose end is not known beforehand.
static const uint64_t crawl_httpd_unknown_size = MHD_SIZE_UNKNOWN;

#endif
