/** Distance of the points of the sky at which factors are learned, degrees. */
export const AZIMUTH_STEP = 6;
export const ELEVATION_STEP = 14;
