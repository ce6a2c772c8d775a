"""What do files say? One module for each format, reading into the builders of other rooms."""
