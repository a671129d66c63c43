"""What every sample needs: pictures drawn pixel by pixel, build files, and logs as VASSAL writes them."""
