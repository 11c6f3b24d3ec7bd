"""Prints what the client library forecast-solar makes of a base URL."""

import asyncio
import json
import sys

from forecast_solar import ForecastSolar
from yarl import URL


async def main(base_url: str) -> None:
    async with ForecastSolar(
        latitude=50, longitude=10, declination=30, azimuth=0, kwp=10
    ) as client:
        client._base_url = URL(base_url)
        estimate = await client.estimate()
        print(
            json.dumps(
                {
                    "periods": {
                        time.isoformat(): wh
                        for time, wh in estimate.wh_period.items()
                    },
                    "today": estimate.energy_production_today,
                    "tomorrow": estimate.energy_production_tomorrow,
                    "power": estimate.power_production_now,
                    "zone": estimate.timezone,
                    "limit": client.ratelimit.call_limit,
                }
            )
        )


asyncio.run(main(sys.argv[1]))
