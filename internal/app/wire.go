package app

import (
	"net"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"smsd/internal/apikey"
	"smsd/internal/config"
	"smsd/internal/httpapi"
	"smsd/internal/policy"
	"smsd/internal/proof"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// wire makes every part and hands each what it needs: one straight line, from the secrets to the servers.
func (a *App) wire() error {
	cfg := a.cfg
	a.registry = prometheus.NewRegistry()
	a.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))

	secrets, err := loadSecrets(cfg)
	if err != nil {
		return err
	}
	keys, err := sms.NewKeyring(secrets.root)
	if err != nil {
		return err
	}
	a.stores = newStores(cfg, secrets.indexCheck(), a.dir, a.registry)
	if a.database, err = newDatabase(cfg); err != nil {
		return err
	}
	hasher, err := apikey.NewHasher(secrets.root)
	if err != nil {
		return err
	}
	a.keys, err = apikey.NewDirectory(apikey.DirectoryOptions{
		Store: a.database.Keys(), Hasher: hasher, Logger: a.logger, Registerer: a.registry,
	})
	if err != nil {
		return err
	}
	if a.health, err = newHealth(a.stores, a.database, a.logger, a.registry); err != nil {
		return err
	}
	if a.recording, err = openRecording(cfg, secrets.root, a.database, a.dir, a.logger, a.registry); err != nil {
		return err
	}
	desk, err := a.openDesk(secrets.root)
	if err != nil {
		return err
	}
	limiter, err := throttle.New(throttle.Options{
		Store: a.stores.counters, IndexSecret: secrets.index, DenyClock: a.stores.now, Registerer: a.registry,
	})
	if err != nil {
		return err
	}
	local, err := throttle.NewLocal(throttle.LocalOptions{
		Rate:       cfg.Local.Rate,
		Burst:      cfg.Local.Burst,
		IPRate:     cfg.Local.IPRate,
		IPBurst:    cfg.Local.IPBurst,
		Registerer: a.registry,
	})
	if err != nil {
		return err
	}
	a.policy, err = policy.Open(policy.SourceOptions{
		Path:       cfg.PolicyFile,
		Logger:     a.logger,
		Registerer: a.registry,
		Accept:     func(p *sms.Policy) error { return acceptPolicy(cfg, p).Err() },
	})
	if err != nil {
		return err
	}
	router, inbox, err := openGateways(cfg, a.registry)
	if err != nil {
		return err
	}
	a.gateways, a.health.ailing = router, router.Ailing
	if name := firstForTests(cfg, cfg.Gateway); name != "" && cfg.Profile == config.Production {
		a.logger.Warn("messages reach nobody: the gateway is the mock one (allow_mock)", "gateway", name)
	}
	a.tokens, err = proof.New(proof.Options{
		Root:       secrets.root,
		Consumed:   a.database.Proofs(),
		Issuer:     cfg.Token.Issuer,
		TTL:        cfg.Token.TTL,
		Now:        a.stores.now,
		Registerer: a.registry,
	})
	if err != nil {
		return err
	}
	service, err := sms.New(sms.Options{
		Policy:      a.policy.Current,
		Limiter:     limiter,
		Local:       local,
		Codes:       a.stores.codes,
		Gateway:     router,
		Keys:        keys,
		Records:     a.book(),
		Owners:      a.database.Records(),
		Sign:        a.tokens.Sign,
		Logger:      a.logger,
		Registerer:  a.registry,
		StoreBudget: cfg.Redis.Budget,
	})
	if err != nil {
		return err
	}
	if a.ledger, err = a.newLedger(secrets, a.registry); err != nil {
		return err
	}
	a.http = httpapi.Options{
		Service:        service,
		Desk:           desk,
		Receipts:       router.ReceiptReader,
		PublicURL:      cfg.HTTP.PublicURL,
		Idempotency:    a.ledger,
		Local:          local,
		Keys:           a.keys,
		Tokens:         a.tokens,
		Policy:         a.policy.Current,
		Health:         a.state,
		Mock:           inbox,
		Advance:        a.stores.advance,
		Dev:            cfg.Profile == config.Dev,
		TrustedProxies: cfg.HTTP.TrustedProxies,
		CORSOrigins:    cfg.HTTP.CORSOrigins,
		AdminToken:     cfg.Admin.Token,
		AdminHosts:     append(adminHosts(cfg.Admin.Listen), cfg.Admin.Hosts...),
		Logger:         a.logger,
		Registerer:     a.registry,
		Gatherer:       a.registry,
	}
	return nil
}

// wireHTTP makes the two servers, once it is known where they listen: the one tells where the other is.
func (a *App) wireHTTP() error {
	if a.http.Mock != nil {
		a.http.InboxURL = a.AdminURL() + "/mock/"
	}
	public, err := httpapi.NewPublic(a.http)
	if err != nil {
		return err
	}
	admin, err := httpapi.NewAdmin(a.http)
	if err != nil {
		return err
	}
	a.public.answer(httpapi.NewServer(public, a.logger), a.logger)
	a.admin.answer(httpapi.NewServer(admin, a.logger), a.logger)
	return a.registerConnections()
}

// adminHosts returns the names by which people and scrapers address the operators' API: the host that it
// listens on or, where it listens on every interface, this machine's name and addresses.
func adminHosts(listen string) []string {
	host, _, _ := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); host != "" && !ip.IsUnspecified() {
		return []string{host}
	}
	var hosts []string
	if name, err := os.Hostname(); err == nil {
		hosts = append(hosts, name)
	}
	addresses, _ := net.InterfaceAddrs() // without them the name remains
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok {
			hosts = append(hosts, network.IP.String())
		}
	}
	return hosts
}
