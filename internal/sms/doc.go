// Package sms is the domain: a verification's life from send to its end.
package sms
