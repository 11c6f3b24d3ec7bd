package consumers

import (
	"context"
	"math"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/evcc-io/evcc/api"
	"github.com/evcc-io/evcc/tariff"
)

// evcc's own tariff reads our JSON over HTTP; the trapezoids between its rates,
// as evcc adds them up, have the energy of the day.
func TestSolarTariff(t *testing.T) {
	from, err := time.Parse(time.RFC3339, os.Getenv("DAY_START"))
	if err != nil {
		t.Fatal(err)
	}
	to, err := time.Parse(time.RFC3339, os.Getenv("DAY_END"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := strconv.ParseFloat(os.Getenv("DAY_KWH"), 64)
	if err != nil {
		t.Fatal(err)
	}

	solar, err := tariff.NewFromConfig(context.Background(), "custom", map[string]any{
		"tariff":   "solar",
		"interval": "15m",
		"forecast": map[string]any{"source": "http", "uri": os.Getenv("FORECAST_URL")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if solar.Type() != api.TariffTypeSolar {
		t.Fatalf("evcc reads it as %v", solar.Type())
	}
	rates, err := solar.Rates()
	if err != nil {
		t.Fatal(err)
	}

	var kwh float64
	for i := 0; i+1 < len(rates); i++ {
		if rates[i].Start.Before(from) || !rates[i].Start.Before(to) {
			continue
		}
		hours := rates[i+1].Start.Sub(rates[i].Start).Hours()
		kwh += (rates[i].Value + rates[i+1].Value) / 2 * hours / 1000
	}
	if math.Abs(kwh-want) > 0.001 {
		t.Fatalf("evcc gets %f kWh, the forecast has %f kWh", kwh, want)
	}
	t.Logf("%d rates, %.3f kWh on %s", len(rates), kwh, from.Format(time.DateOnly))
}
