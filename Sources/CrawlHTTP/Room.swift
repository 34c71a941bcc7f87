import CCurl
package enum CrawlHTTPRoom {}
