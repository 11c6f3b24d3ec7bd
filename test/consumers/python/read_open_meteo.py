"""Prints what the client library open-meteo-solar-forecast makes of a base URL."""

import asyncio
import json
import sys

from open_meteo_solar_forecast import OpenMeteoSolarForecast


async def main(base_url: str) -> None:
    async with OpenMeteoSolarForecast(
        base_url=base_url,
        latitude=50,
        longitude=10,
        declination=30,
        azimuth=0,
        dc_kwp=10,
        weather_model="best_match",
    ) as client:
        estimate = await client.estimate()
        print(
            json.dumps(
                {
                    "hours": {
                        time.isoformat(): wh
                        for time, wh in estimate.wh_period.items()
                    },
                    "days": {
                        day.isoformat(): wh for day, wh in estimate.wh_days.items()
                    },
                    "today": estimate.energy_production_today,
                    "tomorrow": estimate.energy_production_tomorrow,
                    "power": estimate.power_production_now,
                }
            )
        )


asyncio.run(main(sys.argv[1]))
