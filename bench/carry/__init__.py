"""Task sets, simulated tools and a harness that measure how a small model is carried: `./build.sh bench carry`."""
