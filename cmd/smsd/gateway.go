package main

import (
	"github.com/spf13/cobra"
)

func newGateway(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "gateway",
		Short: "Ask carriers whether messages would go, or send a test message",
		Long: `Ask the carriers of the configured gateways whether messages would go, or send one test message through a gateway.
The settings are read as smsd serve reads them; neither Redis nor the database is needed, and an instance may run
meanwhile.`,
		RunE: group,
	}
	c.AddCommand(newGatewayCheck(s), newGatewaySendTest(s))
	return c
}
