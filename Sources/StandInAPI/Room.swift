import CMicroHTTPD
package enum StandInAPIRoom {}
